import type { ChatEngine } from './chatEngine.ts';
import { createJumps } from './jumps.ts';
import { createMarks } from './marks.ts';
import { createOriginals } from './originals.ts';

type ConversationActions = ReturnType<typeof createJumps> &
  ReturnType<typeof createMarks> &
  ReturnType<typeof createOriginals>;

const known = new WeakMap<ChatEngine, ConversationActions>();

/**
 * Returns the actions on conversations besides reading and writing. The engine does not include them, because the
 * conversation list needs none of them. They load with the first open conversation or the first row menu.
 */
export function actionsOf(engine: ChatEngine): ConversationActions {
  const made = known.get(engine);
  if (made) return made;
  const { core, sync } = engine.parts;
  const actions = { ...createJumps(core, sync), ...createMarks(core, sync), ...createOriginals(core) };
  known.set(engine, actions);
  return actions;
}
