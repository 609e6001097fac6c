import { describe, expect, it } from 'vitest';
import { bindRequest, paymentsRequest, usageRequest } from '../../../../src/campus/isim/index.ts';
import { buildingsRequest, floorsRequest, roomsRequest } from '../../../../src/campus/isim/room-crawl.ts';

const asScript = { 'x-requested-with': 'XMLHttpRequest' };

describe('what the electricity site is asked', () => {
  it('are pages, of which those of the meter may be slow', () => {
    expect(buildingsRequest).toMatchObject({ method: 'GET', path: '/about', expect: 'page' });
    expect(buildingsRequest.slow).not.toBe(true);
    for (const [request, path] of [
      [usageRequest, '/use/record'],
      [paymentsRequest, '/pay/record'],
    ] as const) {
      expect(request).toMatchObject({ method: 'GET', path, expect: 'page', slow: true });
    }
  });

  it('are pickers by the code of the part, as a script asks for them', () => {
    for (const [request, path] of [
      [floorsRequest('01'), '/about/floors/01'],
      [roomsRequest('0101'), '/about/rooms/0101'],
      [roomsRequest('甲&1'), '/about/rooms/%E7%94%B2%261'],
    ] as const) {
      expect(request).toMatchObject({ method: 'GET', path, expect: 'json', headers: asScript });
    }
  });

  it('is a binding of the session to a room under its full name, or under its code when it has none', () => {
    const form = (room: string) => [
      ['sn', 'sn'],
      ['openid', '2023000001'],
      ['roomdm', '010101'],
      ['room', room],
      ['mode', 'u'],
    ];
    const displayText = '松园1号学生公寓/1-1层/1-101';
    const binding = bindRequest('2023000001', { code: '010101', displayText });
    expect(binding).toMatchObject({ method: 'POST', path: '/about/rebinding', headers: asScript, once: true });
    expect(binding.form).toEqual(form(displayText));
    expect(bindRequest('2023000001', { code: '010101', displayText: '' }).form).toEqual(form('010101'));
  });
});
