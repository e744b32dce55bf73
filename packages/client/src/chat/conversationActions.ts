import type { ChatEngine } from './chatEngine.ts';
import { createMessageJumps } from './jumps.ts';
import { createMessageActions } from './messageActions.ts';
import { createQuotedMessageLoader } from './originals.ts';

type ConversationActions = ReturnType<typeof createMessageJumps> &
  ReturnType<typeof createMessageActions> &
  ReturnType<typeof createQuotedMessageLoader>;

const known = new WeakMap<ChatEngine, ConversationActions>();

/**
 * Returns the actions on conversations besides reading and writing. The engine does not include them, because the
 * conversation list needs none of them. They load with the first open conversation or the first row menu.
 */
export function getConversationActions(engine: ChatEngine): ConversationActions {
  const made = known.get(engine);
  if (made) return made;
  const { core, sync } = engine.internals;
  const actions = {
    ...createMessageJumps(core, sync),
    ...createMessageActions(core, sync),
    ...createQuotedMessageLoader(core),
  };
  known.set(engine, actions);
  return actions;
}
