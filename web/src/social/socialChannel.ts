/** What the window in which a social account was connected tells those that wait for it. */
const channelName = 'nolo-social';

const outcomes = ['connected', 'cancelled', 'failed', 'limited', 'signed_out', 'unavailable'] as const;
export type ConnectOutcome = (typeof outcomes)[number];

export interface ConnectEnd {
  /** The platform; empty where nobody was signed in. */
  platform: string;
  outcome: ConnectOutcome;
}

/** How it ended, as the gateway says it in `/social-connected?platform=&outcome=`. */
export function connectEndIn(search: string): ConnectEnd {
  const given = new URLSearchParams(search);
  const outcome = outcomes.find((known) => known === given.get('outcome')) ?? 'failed';
  return { platform: given.get('platform') ?? '', outcome };
}

export function tellConnectEnd(end: ConnectEnd): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(end);
  channel.close();
}

/** Calls back when the other window is done; answers with how to stop listening. */
export function onConnectEnd(listener: (end: ConnectEnd) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<ConnectEnd>) => listener(data));
  return () => channel.close();
}
