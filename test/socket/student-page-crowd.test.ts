import { expect, it, onTestFinished } from 'vitest';
import { appUnderTest, portOf } from '../support/app.ts';

/** A lecture hall behind one address, told to open the page. */
const STUDENTS = 150;
/** As many at a time as the test's own machine sends without waiting for sockets. */
const AT_ONCE = 25;

it('150 students behind one address open the page in one minute, and nobody is told to wait', async () => {
  // With the limits of the service.
  const { app, services } = await appUnderTest({ limits: { anonymousPerMinute: 6_000, knownPerMinute: 600 } });
  services.accounts.authenticate.does(async (token) => ({ userid: token }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const root = `http://127.0.0.1:${portOf(app)}`;
  const statuses = new Map<number, number>();
  const get = async (url: string | URL, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await fetch(url, { headers });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer.text();
  };
  /** What a browser asks for on a first visit, and what the page asks for before and after a sign-in. */
  const open = async (student: number): Promise<number> => {
    const page = await get(`${root}/app/`);
    const named = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, place = '']) => place);
    const set = named.find((place) => place.endsWith('/main.js'))?.replace('/main.js', '');
    const files = [...named, `${set}/words/zh.json`];
    await Promise.all(files.map((place) => get(new URL(place, `${root}/app/`))));
    await get(`${root}/campus`);
    const authorization = `Bearer student-${student}`;
    await get(`${root}/campus`, { authorization });
    await get(`${root}/home?include=term,today,exams,summary,evaluation,next`, { authorization });
    return files.length + 1;
  };
  let files = 0;
  for (let begun = 0; begun < STUDENTS; begun += AT_ONCE) {
    const opened = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => open(begun + at)));
    files += opened.reduce((sum, each) => sum + each, 0);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: files + 3 * STUDENTS });
  expect(files).toBeGreaterThan(STUDENTS * 12);
});
