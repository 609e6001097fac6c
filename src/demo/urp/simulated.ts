import type { DemoRoute } from '../exchange.ts';
import type { SimulatedHandler } from '../simulated-campus.ts';

const handlerOf =
  ({ handle }: DemoRoute): SimulatedHandler =>
  (call) =>
    handle({ ...call, system: 'jwc', portalSession: null, userid: null });

/** Academic affairs of the first demo campus, as a system of another one. */
export const simulatedRoutes = (routes: readonly DemoRoute[]): Readonly<Record<string, SimulatedHandler>> =>
  Object.fromEntries(
    routes.flatMap((route) =>
      route.method.split(' or ').map((method) => [`${method} ${route.path}`, handlerOf(route)] as const),
    ),
  );
