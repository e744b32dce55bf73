import type { EventHandler } from './event.ts';

export const ping: EventHandler<'ping'> = async () => ({});
