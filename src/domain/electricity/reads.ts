import type { Item, NewsPart, ReadEvents } from '../events/ports.ts';
import { ofRecord } from '../read-row.ts';
import { ElectricityReading } from './records.ts';

/** Where no hook says otherwise, in kWh: what a room uses in about two days. */
const USUAL_THRESHOLD = 10;
/** So far above its threshold it has recovered, and may be low again. */
const RECOVERED = 1.2;

const electricityEvents: ReadEvents<ElectricityReading> = (reading, { thresholds }) => {
  const { room_code, room_text, balance } = reading;
  const left = balance.remaining_purchased + balance.remaining_subsidy;
  const all = thresholds.length === 0 ? [USUAL_THRESHOLD] : [...new Set(thresholds)];
  const items = all
    .filter((threshold) => left < threshold * RECOVERED)
    .map((threshold) => ({ key: String(threshold), content: '', onlyIfKnown: left >= threshold, threshold }));
  const part: NewsPart<Item & { readonly threshold: number }> = {
    scope: `electricity ${room_code}`,
    source: '',
    vanished: 'at once',
    items,
    tell: ({ added }) =>
      added.map(({ threshold }) => ({
        type: 'electricity.low',
        about: { room_name: room_text, threshold },
        ask: '/isim/elec/info',
        detail: { left },
      })),
  };
  return [part];
};

/** The meter of the bound room. */
export const electricityReads = {
  electricity: ofRecord(ElectricityReading, 'electricity', 'electricity', {
    events: electricityEvents,
    usesThresholds: true,
  }),
} as const;
