import { connect } from '../../src/campus/connect.ts';
import { Addresses } from '../../src/campus/contract/addresses.ts';
import type { CampusWiring } from '../../src/campus/contract/manifest.ts';
import type { Portal } from '../../src/campus/contract/portal.ts';
import { drivers } from '../../src/campus/drivers.ts';
import { customManifest } from '../../src/config/campus.ts';
import { type CampusFacts, capabilitiesIn } from '../../src/domain/capabilities.ts';
import { systemClock } from '../../src/lib/time.ts';
import { unusedWiring } from './unused-wiring.ts';

/** The manifest of a campus that is described by addresses. */
export const manifestOf = (wiring: CampusWiring) =>
  customManifest(wiring, { id: 'test', name: { zh: '测试', en: 'Test' }, timeZone: 'Asia/Shanghai', scan: 'form' });

/** The systems at these addresses, behind the SSL VPN or another portal. */
export const addressesOf = (wiring: CampusWiring, portal?: Portal): Addresses => {
  const connection = connect(manifestOf(wiring), drivers);
  return new Addresses(portal === undefined ? connection : { ...connection, portal });
};

const whole = manifestOf({ ...unusedWiring, cardUrl: 'http://127.0.0.1:4008' });
const supplied = connect(whole, drivers).supplies({
  sessions: { with: () => Promise.reject(new Error('no request was expected')) },
  clock: systemClock,
});

/** A campus that offers everything there is. */
export const wholeCampus: CampusFacts = {
  id: 'demo',
  name: { zh: '演示大学', en: 'Demo University' },
  hasPortal: true,
  isAttended: false,
  ownLogin: null,
  challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
  capabilities: new Set(supplied.flatMap(capabilitiesIn)),
  supplied: supplied.flatMap((each, at) =>
    capabilitiesIn(each).map((capability) => ({
      ...{ capability, product: whole.applications[at]?.driver ?? '' },
      proven: null,
    })),
  ),
};
