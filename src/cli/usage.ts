/** The command line itself is wrong; the text says how. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const help = `campus: operator commands of the campus gateway

  campus invite create [--uses N | --unlimited] [--expires DATE] [CODE]
      Creates an invite code and prints it. One use and no expiry unless told otherwise; without CODE a random
      one. DATE is YYYY-MM-DD (to the end of that day in the campus time zone) or a date and time with offset,
      e.g. 2026-09-01T12:00:00+08:00.
  campus invite list
  campus invite revoke CODE

  campus user list
  campus user revoke USERID
      Ends all tokens and campus sessions of the student; the account stays.
  campus user delete USERID
      Erases the account and everything stored of it.

  campus feeds USERID [--revoke ID | --revoke-all]
      Lists the calendar feeds of a student, which outlive tokens, or ends one of them or all: their addresses answer
      404 at once, on all replicas.

  campus unlock USERID
      Lets a student in whose logins are refused because somebody guesses at them: returns the budgets that guesses
      have used up, and prints an unlock token. Sent as 'Authorization: Bearer TOKEN' with a login it proves that
      the owner is calling, three times within 30 minutes. Make sure who asks before you give it out.
  campus tag USERID | ADDRESS
      Prints the names under which a student or a network stands in log lines of logins.

  campus adopt [--yes]
      Takes the database over from the campus it belongs to: changed addresses of the same campus, or the demo campus
      it was tried with. Says what that changes, and does it with --yes; end the service first.
  campus backup FILE
      Writes everything of this moment to a new file (mode 0600, never over an existing one). May run beside the service.
      The keys are not in it.
  campus restore [--any-key] FILE
      Fills the configured database, which must be empty, from a backup of the same campus; SQLite and PostgreSQL alike.
      Refuses a backup whose passwords none of the keys opens, unless told --any-key: their students log in anew.
  campus move --to postgres://USER:PASSWORD@HOST/DATABASE
      Copies the configured SQLite database into an empty PostgreSQL one. End the service first. PGPASSWORD may hold the
      password.
  campus rotate-keys
      Seals everything anew with the first key of SECRET_KEY. May run beside the service.
  campus doctor
      Checks configuration, storage, upstreams and clock.

The configuration is read from the environment and from a file .env here, as the service reads it.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;
