#!/bin/sh
# Runs once, when the PostgreSQL image makes its data folder: a role for the service that owns its databases and may
# nothing else. The demo campus has a separate one, because a database belongs to one campus. The superuser stays with the operator.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres --no-psqlrc --quiet --set ON_ERROR_STOP=1 <<'SQL'
\set password `cat /run/secrets/database_password`
create role campus login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database campus owner campus;
create database campus_demo owner campus;
revoke all on database campus, campus_demo, postgres, template1 from public;
SQL
