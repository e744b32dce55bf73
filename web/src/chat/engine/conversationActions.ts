import type { ChatEngine } from './chatEngine.ts';
import { createJumps } from './jumps.ts';
import { createMarks } from './marks.ts';
import { createOriginals } from './originals.ts';

type ConversationActions = ReturnType<typeof createJumps> &
  ReturnType<typeof createMarks> &
  ReturnType<typeof createOriginals>;

const known = new WeakMap<ChatEngine, ConversationActions>();

/**
 * What people do in conversations besides reading on and writing. The engine does not bring it, for the list of
 * conversations does without: it comes over the line with the first conversation, or the first menu of a row.
 */
export function actionsOf(engine: ChatEngine): ConversationActions {
  const made = known.get(engine);
  if (made) return made;
  const { core, sync } = engine.parts;
  const actions = { ...createJumps(core, sync), ...createMarks(core, sync), ...createOriginals(core) };
  known.set(engine, actions);
  return actions;
}
