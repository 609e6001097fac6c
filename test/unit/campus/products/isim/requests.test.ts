import { expect, it } from 'vitest';
import { bindRequest, paymentsRequest, usageRequest } from '../../../../../src/campus/products/isim/index.ts';
import { buildingsRequest, roomsRequest } from '../../../../../src/campus/products/isim/room-crawl.ts';

it('pages of the meter may be slow, that of the buildings may not', () => {
  expect([usageRequest, paymentsRequest, buildingsRequest].map(({ slow = false }) => slow)).toEqual([
    true,
    true,
    false,
  ]);
});

it('the path of a picker encodes any code', () => {
  expect(roomsRequest('甲&1').path).toBe('/about/rooms/%E7%94%B2%261');
});

it('a session is bound once to a room under its full name, or under its code when it has none', () => {
  const form = (room: string) => Object.entries({ sn: 'sn', openid: '2023000001', roomdm: '010101', room, mode: 'u' });
  const displayText = '松园1号学生公寓/1-1层/1-101';
  const binding = bindRequest('2023000001', { code: '010101', displayText });
  expect(binding).toMatchObject({ form: form(displayText), once: true });
  expect(bindRequest('2023000001', { code: '010101', displayText: '' }).form).toEqual(form('010101'));
});
