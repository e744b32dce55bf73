import { CommandError } from './commandError.ts';

/** Running process that this launcher started. */
interface LiveChild {
  stop: () => Promise<void>;
}

const live = new Set<LiveChild>();
let ending = false;

/** Throws once the launcher is shutting down, when nothing new may be started. */
export function requireLaunchAllowed(): void {
  if (ending) throw new CommandError('The launcher is stopping.');
}

/** Tracks a process until it has ended. */
export function trackChild(stop: () => Promise<void>, exited: Promise<unknown>): void {
  const child = { stop };
  live.add(child);
  const forget = (): void => {
    live.delete(child);
  };
  exited.then(forget, forget);
}

/** Permanently stops everything that this process has started, at whatever point it was interrupted. */
export async function endAllChildren(): Promise<void> {
  ending = true;
  await Promise.allSettled([...live].map(async (child) => await child.stop()));
}
