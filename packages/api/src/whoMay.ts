import { audiences } from '@nolo/rules';
import * as z from 'zod/mini';

const audience = z.enum(audiences);

/** What people choose of who sees, reaches and adds them. */
export const whoMay = z.object({
  pictureVisibility: audience,
  /** Who sees when one was there last; whoever does not show it to somebody does not see theirs. */
  lastSeenVisibility: audience,
  /** Whose first messages come in; of strangers they are requests. */
  messagesFrom: audience,
  /** For whose calls it rings, and who adds one to groups without asking: also for those whose chat one has accepted. */
  callsFrom: audience,
  groupsFrom: audience,
});
