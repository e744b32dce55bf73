/** Channel on which the window that connects a social account reports its result. */
const channelName = 'nolo-social';

const outcomes = ['connected', 'cancelled', 'failed', 'limited', 'signed_out', 'unavailable'] as const;
export type ConnectOutcome = (typeof outcomes)[number];

export interface ConnectResult {
  /** Platform. Empty if nobody was signed in. */
  platform: string;
  outcome: ConnectOutcome;
}

/** Parses the result in the gateway's `/social-connected?platform=&outcome=`. */
export function readConnectResult(search: string): ConnectResult {
  const given = new URLSearchParams(search);
  const outcome = outcomes.find((known) => known === given.get('outcome')) ?? 'failed';
  return { platform: given.get('platform') ?? '', outcome };
}

export function publishConnectEnd(end: ConnectResult): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(end);
  channel.close();
}

/** Calls `listener` when the other window is done. Returns a function that stops listening. */
export function onConnectResult(listener: (end: ConnectResult) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<ConnectResult>) => listener(data));
  return () => channel.close();
}
