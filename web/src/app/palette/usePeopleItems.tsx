import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useChatState } from '../../chat/context/chatContext.ts';
import { usePeopleSearch } from '../../shell/usePeopleSearch.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import type { PaletteGroup } from './paletteGroups.ts';

/** Finds people without a conversation yet, by name, number or email address, on the server. */
export function usePeopleItems(typed: string): PaletteGroup {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const conversations = useChatState((state) => state.conversations);
  const { people, searching } = usePeopleSearch(typed, true);
  const known = new Set(Object.values(conversations).map(({ otherUser }) => otherUser?.id));
  const items = people
    .filter(({ id }) => !known.has(id))
    .map((person) => ({
      id: `person ${person.id}`,
      label: person.displayName,
      ...(person.statusMessage !== '' && { detail: person.statusMessage }),
      icon: <Avatar name={person.displayName} imageUrl={person.profileImageUrl} size={24} />,
      does: () => void navigate(`/chat/${person.id}`),
    }));
  return { id: 'people', title: t('palette.people'), items, searching };
}
