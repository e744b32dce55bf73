import { Refusal } from './refusal.ts';

/** What is known of a process that this launcher started and that has not ended. */
interface LiveChild {
  stop: () => Promise<void>;
}

const live = new Set<LiveChild>();
let ending = false;

/** Throws once the launcher has begun to end everything: nothing new may be started then. */
export function mayLaunch(): void {
  if (ending) throw new Refusal('The launcher is stopping.');
}

/** Remembers a process until it has ended. */
export function remember(stop: () => Promise<void>, exited: Promise<unknown>): void {
  const child = { stop };
  live.add(child);
  const forget = (): void => {
    live.delete(child);
  };
  exited.then(forget, forget);
}

/** Stops whatever this process has started, at whatever point it was interrupted, for good. */
export async function endAllChildren(): Promise<void> {
  ending = true;
  await Promise.allSettled([...live].map(async (child) => await child.stop()));
}
