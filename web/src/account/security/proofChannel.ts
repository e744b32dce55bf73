/** What the window in which one signs in again tells the one that asked for it. */
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

/** How it ended, as the gateway says it in `/proof?outcome=`. */
export function outcomeIn(search: string): ProofOutcome {
  const given = new URLSearchParams(search).get('outcome');
  return outcomes.find((known) => known === given) ?? 'failed';
}

export function tellOutcome(outcome: ProofOutcome): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(outcome);
  channel.close();
}

/** Calls back when the other window is done; answers with how to stop listening. */
export function onOutcome(listener: (outcome: ProofOutcome) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<ProofOutcome>) => listener(data));
  return () => channel.close();
}
