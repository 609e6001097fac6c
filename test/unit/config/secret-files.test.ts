import { describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/config/finding.ts';
import type { ConfigFiles } from '../../../src/config/secrets.ts';
import { findings, key, load, memoryFiles, otherKey, problems, unreadable } from './support.ts';

const files = (content: Record<string, string>): ConfigFiles => memoryFiles(content).files;
const lines = (env: Record<string, string>, from: ConfigFiles) => problems(env, from).map(findingLine);
const hint = 'give the path of a file that this user may read and that holds the value';

describe('secrets as files', () => {
  it('are read in the place of every secret setting', () => {
    const config = load(
      {
        SECRET_KEY_FILE: '/run/secrets/key',
        DATABASE_URL_FILE: '/run/secrets/database',
        INVITE_CODES_FILE: '/run/secrets/codes',
        ADMIN_USER_IDS_FILE: '/run/secrets/admins',
      },
      files({
        '/run/secrets/key': `${key}\n${otherKey}\n`,
        '/run/secrets/database': 'postgres://campus:hunter2@db/campus\n',
        '/run/secrets/codes': 'SPRING-2026:5\r\nFRIEND-2026\n\n',
        '/run/secrets/admins': '2023000001,2023000002',
      }),
    );
    expect(config.secretKeys.map((each) => each.toString('base64'))).toEqual([key, otherKey]);
    expect(config.storage).toEqual({ kind: 'postgres', url: 'postgres://campus:hunter2@db/campus' });
    expect(config.accounts.inviteCodes.slice(0, 2)).toEqual([
      { code: 'SPRING-2026', maxUses: 5 },
      { code: 'FRIEND-2026', maxUses: 1 },
    ]);
    expect(config.accounts.adminUserIds).toEqual(['2023000001', '2023000002']);
    expect(config.warnings).toEqual([]);
  });

  it('serve production', () => {
    const env = { NODE_ENV: 'production', CAMPUS: 'demo', SECRET_KEY_FILE: '/k' };
    expect(load(env, files({ '/k': key })).secretKeys).toHaveLength(1);
  });

  it('that cannot be read are named once, with what to do', () => {
    const env = { NODE_ENV: 'production', CAMPUS: 'demo', SECRET_KEY_FILE: '/k' };
    expect(lines(env, files({}))).toEqual([`SECRET_KEY_FILE: /k does not exist; ${hint}`]);
    expect(lines(env, files({ '/k': ' \n' }))).toEqual([`SECRET_KEY_FILE: /k is empty; ${hint}`]);
    expect(lines(env, unreadable('hunter2'))).toEqual([`SECRET_KEY_FILE: /k cannot be read (EACCES); ${hint}`]);
  });

  it('are refused beside the setting itself', () => {
    const env = { SECRET_KEY: key, SECRET_KEY_FILE: '/k' };
    expect(lines(env, files({ '/k': key }))).toEqual(['SECRET_KEY_FILE: set beside SECRET_KEY; give one of the two']);
  });

  it('never show what is in them', () => {
    const wrong = files({ '/k': 'hunter2', '/d': 'mysql://root:hunter2@db/campus', '/i': 'a b hunter2' });
    const found = findings({ SECRET_KEY_FILE: '/k', DATABASE_URL_FILE: '/d', INVITE_CODES_FILE: '/i' }, wrong);
    expect(found.problems.map((problem) => problem.key).sort()).toEqual(['DATABASE_URL', 'INVITE_CODES', 'SECRET_KEY']);
    expect(JSON.stringify(found.problems)).not.toContain('hunter2');
  });

  it('are for secrets only: another key with that ending is unknown', () => {
    const [warning] = load({ CAMPUS_JWC_URL_FILE: '/x' }).warnings;
    expect(warning?.key).toBe('CAMPUS_JWC_URL_FILE');
  });
});
