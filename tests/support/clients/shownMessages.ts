import { fingerprintState, type MessageObservation } from './messageObservations.ts';

/** Difference between a screen and what the server stores. */
interface ShownDifference {
  readonly what: string;
  readonly rule: 'lost' | 'double' | 'order' | 'amendment';
}

/** Lists the first ten numbers. */
export const few = (seqs: readonly number[]) => `[${seqs.slice(0, 10).join()}${seqs.length > 10 ? ',…' : ''}]`;

/** Compares the messages of a screen with those that the server stores. Returns the first difference. */
export function compareShown(
  shown: readonly MessageObservation[],
  stored: readonly MessageObservation[],
): ShownDifference | undefined {
  const have = shown.map(({ id }) => id);
  if (have.length !== stored.length || stored.some(({ id }, index) => id !== have[index])) {
    const known = new Set(have);
    const missing = stored.filter(({ id }) => !known.has(id)).map(({ seq }) => seq);
    const doubled = shown.filter(({ id }, index) => have.indexOf(id) !== index).map(({ seq }) => seq);
    const order = missing.length + doubled.length === 0 ? 'differs' : 'not judged';
    return {
      what: `${have.length} of ${stored.length} messages: missing seq ${few(missing)}, double ${few(doubled)}, order ${order}`,
      rule: missing.length > 0 ? 'lost' : doubled.length > 0 ? 'double' : 'order',
    };
  }
  const stale = stored.filter(
    (message, index) => fingerprintState(message) !== fingerprintState(shown[index] ?? message),
  );
  if (stale.length === 0) return undefined;
  return { what: `another text than the server for seq ${few(stale.map(({ seq }) => seq))}`, rule: 'amendment' };
}
