import { audiences } from '@nolo/rules';
import * as z from 'zod/mini';

const audience = z.enum(audiences);

/** Privacy settings: who may see, contact and add the user. */
export const audienceSettings = z.object({
  pictureVisibility: audience,
  /** Audience of the last-seen time. Users who hide theirs from another user do not see that user's. */
  lastSeenVisibility: audience,
  /** People whose first messages arrive normally. First messages from strangers become requests. */
  messagesFrom: audience,
  /**
   * People whose calls ring, and who may add the user to groups without asking. People whose chat the user accepted are
   * always included.
   */
  callsFrom: audience,
  groupsFrom: audience,
});
