import type { InviteSeed } from './kinds.ts';

export const demoName = { zh: '演示大学', en: 'Demo University' };

/** The code that demo visitors register with; anyone may try, so it has no limit. */
export const demoInvite: InviteSeed = { code: 'DEMO-2026', maxUses: null };

const demoStudents = [
  { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' },
  { userid: '2023000002', password: 'demo-password-2', vpn_password: 'demo-vpn-2' },
  // Its pages are damaged in every way that the campus knows; visitors who try the first student see nothing odd.
  { userid: '2023000003', password: 'demo-password-3', vpn_password: 'demo-vpn-3' },
  // The campus refuses each evaluation of this one.
  { userid: '2023000004', password: 'demo-password-4', vpn_password: 'demo-vpn-4' },
] as const;

interface DemoStudent {
  readonly userid: string;
  readonly password: string;
  readonly vpn_password?: string;
}

/** By the name of the manifest; each has two. */
const simulatedStudents: Readonly<Record<string, readonly DemoStudent[]>> = {
  'demo-lakeside': [
    { userid: 'L2026001', password: 'lakeside-password' },
    { userid: 'L2026002', password: 'lakeside-password-2' },
  ],
  'demo-shuwei': [
    { userid: 'S2026001', password: 'shuwei-password' },
    { userid: 'S2026002', password: 'shuwei-password-2' },
  ],
  'demo-jinzhi': [
    { userid: 'J2026001', password: 'jinzhi-password' },
    { userid: 'J2026002', password: 'jinzhi-password-2' },
  ],
  'demo-seaside': [
    { userid: 'S2026001', password: 'seaside-password' },
    { userid: 'S2026002', password: 'seaside-password-2' },
  ],
  'demo-hillside': [
    { userid: 'H2026001', password: 'hillside-password' },
    { userid: 'H2026002', password: 'hillside-password-2' },
  ],
  'demo-zhengfang': [
    { userid: 'Z2026001', password: 'zhengfang-password' },
    { userid: 'Z2026002', password: 'zhengfang-password-2' },
  ],
};

export const studentsOf = (demo: string): readonly DemoStudent[] => simulatedStudents[demo] ?? demoStudents;

export const demoAccess = (demo: string) => ({ students: studentsOf(demo).slice(0, 2), invite: demoInvite.code });

/** Of campuses that have no academic summary. */
const firstReads: Readonly<Record<string, string>> = {
  'demo-shuwei': '/jwc/term/current',
  'demo-jinzhi': '/jwc/term/current',
};

/**
 * One shell line that registers the student, logs in and reads once. The parentheses keep its variables
 * out of the shell of the visitor.
 */
const firstCall = (demo: string, address: string): string => {
  const [student] = studentsOf(demo);
  const members = JSON.stringify(student ?? {}).slice(1, -1);
  const steps = [
    `B=${address}`,
    `S='${members}'`,
    `post() { curl -s $B/auth/$1 -H 'content-type: application/json' -d "$2"; }`,
    `token() { sed -E 's/.*token":"([^"]*)".*/\\1/'; }`,
    `I=$(post register/invite '{"invite_code":"${demoInvite.code}"}' | token)`,
    `post register/next "{$S,\\"invite_token\\":\\"$I\\"}" > /dev/null`,
    `T=$(post login/next "{$S}" | token)`,
    `curl -s $B${firstReads[demo] ?? '/jwc/academic/info'} -H "Authorization: Bearer $T" -w '\\n'`,
  ];
  return `(${steps.join('; ')})`;
};

export const demoGuide = (
  demo: string,
  address: string,
  { docs, challenge }: { readonly docs: boolean; readonly challenge: boolean },
): string => {
  const students = studentsOf(demo)
    .slice(0, 2)
    .map(
      ({ userid, password, vpn_password }) =>
        `${userid}  password ${password}${vpn_password === undefined ? '' : `  VPN password ${vpn_password}`}`,
    );
  return `${docs ? `Documentation  ${address}/docs\n` : ''}Students       ${students.join('\n               ')}
Invite code    ${demoInvite.code}

${
  challenge
    ? `The campus wants more than passwords: log in at ${address}/challenge. What phones, authenticators and images show is
printed here.`
    : `One line to paste: it registers the first student, logs in and reads for the first time.

${firstCall(demo, address)}`
}
`;
};

export const demoPhone =
  (say: (text: string) => void) =>
  ({ userid, phone, text }: { readonly userid: string; readonly phone: string; readonly text: string }): void =>
    say(`[demo ${phone}${userid === '' ? '' : ` of ${userid}`}] ${text}\n`);
