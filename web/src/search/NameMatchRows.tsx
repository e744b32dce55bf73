import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useChatState } from '../chat/context/chatContext.ts';
import { listConversationsByActivity } from '@nolo/client/chat/chatStore';
import { conversationName, conversationPath, conversationPicture } from '../chat/words/conversationName.ts';
import { foldText } from '@nolo/rules';
import { usePeopleSearch } from '../shell/usePeopleSearch.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { useTexts } from '../i18n/texts.ts';

const maxRows = 5;

interface Named {
  readonly id: string;
  readonly name: string;
  readonly picture: string | null;
  readonly path: string;
}

/** Returns chats and people whose name matches the query. */
export function useNameMatches(typed: string): { chats: readonly Named[]; people: readonly Named[] } {
  const { t } = useTexts();
  const conversations = useChatState((state) => state.conversations);
  const found = usePeopleSearch(typed, true);
  const wanted = foldText(typed.trim());
  const chats = useMemo(() => {
    if (wanted === '') return [];
    const all = listConversationsByActivity(conversations).map((row) => ({
      id: row.id,
      name: conversationName(row, t),
      picture: conversationPicture(row),
      path: conversationPath(row),
    }));
    return all.filter(({ name }) => foldText(name).includes(wanted)).slice(0, maxRows);
  }, [conversations, t, wanted]);
  const known = new Set(Object.values(conversations).map(({ otherUser }) => otherUser?.id));
  const people = found.people
    .filter(({ id }) => !known.has(id))
    .slice(0, maxRows)
    .map(({ id, displayName, profileImageUrl }) => ({
      id,
      name: displayName,
      picture: profileImageUrl,
      path: `/chat/${id}`,
    }));
  return { chats, people };
}

export function NameMatchRows({ title, rows }: { title: string; rows: readonly Named[] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 className="px-4.5 pt-2 pb-1 text-12 font-semibold text-muted">{title}</h2>
      <ul aria-label={title}>
        {rows.map(({ id, name, picture, path }) => (
          <li key={id} className="mx-2">
            <Link
              to={path}
              data-result
              className="flex min-h-11 items-center gap-3 rounded-card px-2.5 py-1.5 text-14 outline-offset-[-2px] hover:bg-hover"
            >
              <Avatar name={name} imageUrl={picture} size={32} />
              <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start font-medium">
                {name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
