export interface Target {
  /** Everything below this folder, or this file. */
  readonly sources: string;
  /** What should notice; the quick ones first, because the first that fails ends the run. */
  readonly tests: readonly string[];
}

/** The rules of the service and the core that signs in for students, with the tests that stand for them. */
export const targets: readonly Target[] = [
  { sources: 'src/domain/academics', tests: ['test/unit/domain/academics'] },
  { sources: 'src/domain/accounts', tests: ['test/unit/domain/accounts', 'test/socket/gateway-accounts.test.ts'] },
  { sources: 'src/domain/electricity', tests: ['test/unit/domain/electricity', 'test/socket/gateway-rooms.test.ts'] },
  {
    sources: 'src/domain/evaluation',
    tests: ['test/unit/domain/evaluation', 'test/socket/gateway-evaluation'],
  },
  { sources: 'src/domain/labor-club', tests: ['test/unit/domain/labor-club', 'test/socket/gateway-labor'] },
  { sources: 'src/domain/profiles', tests: ['test/unit/domain/profiles', 'test/socket/gateway-app-profile.test.ts'] },
  { sources: 'src/campus/breaker.ts', tests: ['test/unit/campus/breaker.test.ts', 'test/socket/sessions-'] },
  {
    sources: 'src/campus/portal',
    tests: ['test/unit/campus/portal', 'test/unit/campus/session', 'test/socket/sessions-'],
  },
  { sources: 'src/campus/session', tests: ['test/unit/campus/session', 'test/socket/sessions-'] },
];
