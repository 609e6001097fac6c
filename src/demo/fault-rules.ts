import type { DemoCall } from './exchange.ts';
import type { DemoFault, DemoFaultRule } from './types.ts';

interface Armed {
  readonly rule: DemoFaultRule;
  left: number;
}

const CREDENTIAL_ANSWERS: ReadonlySet<DemoFault['kind']> = new Set(['captcha', 'attacked', 'second-factor']);

/** Answers that only the portal's credential request can have leave its other requests alone. */
const concerns = (fault: DemoFault, call: DemoCall): boolean =>
  !CREDENTIAL_ANSWERS.has(fault.kind) || call.path === '/por/login_psw.csp';

const matches = (rule: DemoFaultRule, call: DemoCall): boolean =>
  rule.system === call.system &&
  (rule.method === undefined || rule.method === call.method) &&
  (rule.userid === undefined || rule.userid === call.userid) &&
  (rule.path === undefined || (rule.exact ? call.path === rule.path : call.path.startsWith(rule.path))) &&
  concerns(rule.fault, call);

/** The faults that tests have armed. There is no way to arm one over HTTP. */
export class FaultRules {
  readonly #armed = new Set<Armed>();

  add(rule: DemoFaultRule): { remove(): void } {
    const armed: Armed = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#armed.add(armed);
    return { remove: () => void this.#armed.delete(armed) };
  }

  clear(): void {
    this.#armed.clear();
  }

  /** Every matching delay, and the first matching fault of another kind; uses both up. */
  take(call: DemoCall): readonly DemoFault[] {
    const taken: DemoFault[] = [];
    for (const armed of this.#armed) {
      const { fault } = armed.rule;
      if (!matches(armed.rule, call)) continue;
      if (fault.kind !== 'delay' && taken.some(({ kind }) => kind !== 'delay')) continue;
      taken.push(fault);
      armed.left -= 1;
      if (armed.left <= 0) this.#armed.delete(armed);
    }
    return taken;
  }
}
