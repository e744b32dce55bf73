import { addOnIds, limitedFeatures, planIds, type AddOnId, type LimitedFeature, type PlanId } from '@nolo/rules';

/** Plan limit that a refusal with status 402 is about, and what lifts it. */
export interface ReachedLimit {
  /** Null if the refusal does not say. */
  readonly feature: LimitedFeature | null;
  readonly limit: number | null;
  readonly used: number | null;
  readonly liftedBy: readonly PlanId[];
  readonly addOn: AddOnId | null;
}

const oneOf = <T extends string>(known: readonly T[], value: unknown): T | null =>
  known.find((one) => one === value) ?? null;
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Reads the details of a refusal; omits unknown values. */
export function readReachedLimit(details: Readonly<Record<string, unknown>>): ReachedLimit {
  const lifting = Array.isArray(details['liftedBy']) ? details['liftedBy'] : [];
  return {
    feature: oneOf(limitedFeatures, details['feature']),
    limit: numberIn(details['limit']),
    used: numberIn(details['used']),
    liftedBy: planIds.filter((plan) => lifting.includes(plan)),
    addOn: oneOf(addOnIds, details['addOn']),
  };
}

/**
 * Returns true for limits reached in the background, which are shown only once because the user did not trigger them.
 */
export const isNotifiedOnce = ({ feature }: ReachedLimit): boolean => feature === 'transcriptionSeconds';
