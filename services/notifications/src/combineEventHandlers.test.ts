import type { ServiceEvent } from '@nolo/kit/events';
import { combineEventHandlers } from './combineEventHandlers.ts';

test.each(['first', 'second'])(
  'both handlers receive an event if the %s one fails, and the failure is reported',
  async (failing) => {
    const calls: string[] = [];
    const createTestHandlers = (name: string) => ({
      notified: async () => {
        calls.push(name);
        if (name === failing) throw new Error(`${name} failed`);
      },
    });
    const event = {} as ServiceEvent;
    await expect(
      combineEventHandlers(createTestHandlers('first'), createTestHandlers('second'))['notified']?.(event),
    ).rejects.toThrow(`${failing} failed`);
    expect(calls).toEqual(['first', 'second']);
  },
);
