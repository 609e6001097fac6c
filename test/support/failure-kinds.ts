import { type FailureKind, failures } from '../../src/domain/errors.ts';

export const failureKinds: readonly FailureKind[] = Object.values(failures).map((make) => {
  // A factory tells its kind no matter what it is called with.
  const { kind } = (make as () => { readonly kind: FailureKind })();
  return kind;
});
