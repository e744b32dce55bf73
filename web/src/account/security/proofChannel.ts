/** Reports from the window of a repeated sign-in to the window that requested it. */
const channelName = 'nolo-proof';

const outcomes = [
  'proven',
  'cancelled',
  'expired',
  'unavailable',
  'limited',
  'failed',
  'proof_mismatch',
  'signed_out',
] as const;
export type ProofOutcome = (typeof outcomes)[number];

/** Reads the outcome that the gateway puts into `/proof?outcome=`. */
export function readProofOutcome(search: string): ProofOutcome {
  const given = new URLSearchParams(search).get('outcome');
  return outcomes.find((known) => known === given) ?? 'failed';
}

export function publishProofOutcome(outcome: ProofOutcome): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(outcome);
  channel.close();
}

/** Calls back when the other window is done. Returns a function that stops listening. */
export function onProofOutcome(listener: (outcome: ProofOutcome) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<ProofOutcome>) => listener(data));
  return () => channel.close();
}
