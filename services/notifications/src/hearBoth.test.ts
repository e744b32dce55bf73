import type { ServiceEvent } from '@nolo/kit/events';
import { hearBoth } from './hearBoth.ts';

test.each(['first', 'second'])('both hear an event where the %s one fails, which then fails', async (failing) => {
  const heard: string[] = [];
  const hearing = (name: string) => ({
    told: async () => {
      heard.push(name);
      if (name === failing) throw new Error(`${name} failed`);
    },
  });
  const event = {} as ServiceEvent;
  await expect(hearBoth(hearing('first'), hearing('second'))['told']?.(event)).rejects.toThrow(`${failing} failed`);
  expect(heard).toEqual(['first', 'second']);
});
