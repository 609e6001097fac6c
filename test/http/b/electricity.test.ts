import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleReading, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
describe('GET /isim/elec/info', () => {
  const url = '/isim/elec/info';

  it('has empty lists and names for a room without records that is not in the tree', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.reading.returns({ ...exampleReading, room_display: '', usage_records: [], payments: [] });
    expect((await app.inject({ url, headers })).json().data).toMatchObject({
      room_text: '1-101',
      room_display: '',
      usage_records: [],
      payments: [],
    });
  });

  it('is refused without a bound room', async () => {
    const { app, services } = await appUnderTest();
    services.electricity.reading.fails(new Failure('room-unbound'));
    const answer = await app.inject({ url, headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { success: false, message: '房间未绑定', data: null, error: { code: 'UNBOUND_ROOM' } },
    ]);
  });
});
