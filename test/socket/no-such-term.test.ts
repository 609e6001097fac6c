import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway-rig.ts';

it('surface A says that a text is no term of the campus, with and without a filter', async () => {
  const gateway = await startGateway({});
  const token = await gateway.register();
  const ask = async (term_id: string, course_name: string) => {
    const request = { term_id, course_code: '', course_name, page_num: 1, page_size: 50 };
    const { body } = await gateway.a('/jwc/fetch_term_score', { request, AuthmeRequest: { token } });
    return [body.code, body.message, body.data.total_count];
  };
  const none = [200, '教务系统的学期列表中没有该学期', 0];
  expect([await ask('x', ''), await ask('x', '数学')]).toEqual([none, none]);
  expect(await ask('2025-2026-1-1', '没有这门课')).toEqual([200, 'success', 0]);
  await gateway.close();
});
