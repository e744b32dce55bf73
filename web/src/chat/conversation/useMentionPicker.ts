import type { Conversation } from '@nolo/api';
import { foldText } from '@nolo/rules';
import { useMemo, useState, type KeyboardEvent, type RefObject } from 'react';
import { usePeopleNames } from '../words/peopleNames.ts';
import { useGroupMembers } from '../context/groupScreenQueries.ts';
import { findMentionQuery, filterStillMentioned } from '../words/text/mentions.ts';

/** Person who can be mentioned. */
export interface MentionCandidate {
  readonly userId: string;
  readonly displayName: string;
  /** Name in the text: the person's own first name, never the user's private name for them. */
  readonly name: string;
  readonly profileImageUrl: string | null;
}

const maxCandidates = 6;

export type MentionPicker = ReturnType<typeof useMentionPicker>;

/** Searches group members by the text typed after an @. */
export function useMentionPicker(
  conversation: Conversation,
  input: RefObject<HTMLTextAreaElement | null>,
  write: (text: string) => void,
) {
  const several = conversation.type === 'group';
  const { selfId } = usePeopleNames();
  const [place, setPlace] = useState<{ from: number; query: string } | null>(null);
  const [chosen, setChosen] = useState<readonly MentionCandidate[]>([]);
  const [current, setCurrent] = useState(0);
  const { members } = useGroupMembers(conversation.id, several && place !== null);

  const candidates = useMemo((): readonly MentionCandidate[] => {
    if (!place || !several) return [];
    const wanted = foldText(place.query);
    const fits = (name: string) => {
      const folded = foldText(name);
      return folded.startsWith(wanted) || folded.split(/\s+/u).some((word) => word.startsWith(wanted));
    };
    return (members ?? [])
      .flatMap(({ user, leftAt }) => (user && leftAt === null && user.id !== selfId ? [user] : []))
      .filter(({ displayName, firstName }) => fits(displayName) || fits(firstName))
      .slice(0, maxCandidates)
      .map(({ id, displayName, firstName, profileImageUrl }) => ({
        userId: id,
        displayName,
        name: firstName || displayName,
        profileImageUrl,
      }));
  }, [place, several, members, selfId]);
  const open = place !== null && several && (candidates.length > 0 || members === undefined);

  const pick = (candidate: MentionCandidate): void => {
    const element = input.current;
    if (!element || !place) return;
    const caret = element.selectionStart;
    const before = `${element.value.slice(0, place.from)}@${candidate.name} `;
    write(before + element.value.slice(caret));
    setChosen((known) => [...known, candidate]);
    setPlace(null);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(before.length, before.length);
    });
  };

  return {
    candidates,
    current: Math.min(current, Math.max(0, candidates.length - 1)),
    open,
    pick,
    /** Updates the picker because the caret may have moved. */
    update() {
      const element = input.current;
      const found =
        several && element && element.selectionStart === element.selectionEnd
          ? findMentionQuery(element.value, element.selectionStart)
          : null;
      if (found?.query !== place?.query) setCurrent(0);
      if (found?.from !== place?.from || found?.query !== place?.query) setPlace(found);
    },
    /** Returns true if the picker handled the key. */
    onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
      if (!open || candidates.length === 0) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const candidate = candidates[current] ?? candidates[0];
      if (step !== undefined) setCurrent((current + step + candidates.length) % candidates.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && candidate) pick(candidate);
      else if (event.key === 'Escape') {
        event.stopPropagation();
        setPlace(null);
      } else return false;
      event.preventDefault();
      return true;
    },
    /** Returns the ids of the people mentioned in the text. */
    mentionsIn: (text: string) => [...new Set(filterStillMentioned(text, chosen).map(({ userId }) => userId))],
  };
}
