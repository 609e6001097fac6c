import type { InviteSeed } from './config.ts';

/** The code that demo visitors register with; anyone may try, so it has no limit. */
export const demoInvite: InviteSeed = { code: 'DEMO-2026', maxUses: null };

/** The students of the demo campus, with the members of a login body. */
const demoStudents = [
  { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' },
  { userid: '2023000002', password: 'demo-password-2', vpn_password: 'demo-vpn-2' },
] as const;

/** What the demo campus leaves in a database: its code, and those who may have registered with it. */
export const demoTraces = { code: demoInvite.code, students: demoStudents.map(({ userid }) => userid) };

const post = (url: string, body: string): string => `curl -s ${url} -H 'content-type: application/json' -d '${body}'`;

/** Runs a command inside another one and takes one member of its JSON answer. */
const memberOf = (command: string, member: string): string =>
  `$(${command} | sed -E 's/.*"${member}":"([^"]*)".*/\\1/')`;

/** What a visitor needs to try the service at `address`. Each curl line works by itself. */
export const demoGuide = (address: string): string => {
  const [student] = demoStudents;
  const verify = post(`${address}/auth/register/invite`, JSON.stringify({ invite_code: demoInvite.code }));
  // The invite token comes from the shell, so the quoted body is left for it.
  const entry = JSON.stringify({ ...student, invite_token: '' }).replace(
    '"invite_token":""',
    `"invite_token":"'"${memberOf(verify, 'invite_token')}"'"`,
  );
  const login = post(`${address}/auth/login/next`, JSON.stringify(student));
  const lines = [
    'Demo campus. Students:',
    ...demoStudents.map((each) => `  ${each.userid}  password ${each.password}  VPN password ${each.vpn_password}`),
    `Invite code: ${demoInvite.code}`,
    '',
    '# verify the invite code',
    `${verify} -w '\\n'`,
    '# register the first student (once)',
    `${post(`${address}/auth/register/next`, entry)} -w '\\n'`,
    '# log in and read the academic summary',
    `curl -s ${address}/jwc/academic/info -H "authorization: Bearer ${memberOf(login, 'token')}" -w '\\n'`,
  ];
  return `${lines.join('\n')}\n`;
};
