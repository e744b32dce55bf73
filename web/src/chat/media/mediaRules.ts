import type { Conversation } from '@nolo/api';
import type { FeatureFlags } from '../../session/features.ts';
import { getMaxFileBytes } from '../../session/fileLimit.ts';

/**
 * Returns true if files may be sent here: the installation accepts them, and the group's settings allow this member.
 */
export function mayAttach({ group, myRole }: Pick<Conversation, 'group' | 'myRole'>, features: FeatureFlags): boolean {
  return features['files'] === true && (group === null || group.settings.allowFileSharing || myRole !== 'member');
}

/** Voice notes follow the rules for files. */
export function mayRecord(conversation: Pick<Conversation, 'group' | 'myRole'>, features: FeatureFlags): boolean {
  return features['voiceNotes'] === true && mayAttach(conversation, features);
}

/** Maximum attachments per selection, so that the user can oversee them. */
export const maxFilesPerSelection = 30;

export type FileProblem = 'empty' | 'tooLarge' | 'tooMany';

/** Returns the files that can be sent, and the problem of the first one that cannot. */
export function selectSendableFiles(
  files: readonly File[],
  chosen: number,
): { taken: readonly File[]; problem: FileProblem | null } {
  const maxBytes = getMaxFileBytes();
  let problem: FileProblem | null = null;
  const taken = files.filter((file) => {
    if (file.size > 0 && file.size <= maxBytes) return true;
    problem ??= file.size === 0 ? 'empty' : 'tooLarge';
    return false;
  });
  const room = Math.max(0, maxFilesPerSelection - chosen);
  if (taken.length > room) problem ??= 'tooMany';
  return { taken: taken.slice(0, room), problem };
}

/** Types that the server cleans and shows as pictures. */
const pictureTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

export const isPicture = (type: string): boolean => pictureTypes.has(type);
