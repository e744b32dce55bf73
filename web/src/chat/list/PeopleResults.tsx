import type { User } from '@nolo/api';
import { Link } from 'react-router-dom';
import { useIsServerReachable } from '../context/chatContext.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useTexts } from '../../i18n/texts.ts';

/** People without a conversation, found by name, number, or email address. */
export function PeopleResults({ people }: { people: readonly User[] }) {
  const { t } = useTexts();
  const reachable = useIsServerReachable();
  if (people.length === 0) return null;
  return (
    <section aria-label={t('chats.people')} className="px-2 pb-4">
      <h2 className="px-2.5 pt-3 pb-1.5 text-12 font-semibold text-muted">{t('chats.people')}</h2>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <Link
              to={`/chat/${person.id}`}
              className="flex h-15 items-center gap-3 rounded-card px-2.5 outline-offset-[-2px] hover:bg-hover active:bg-pressed"
            >
              <Avatar
                name={person.displayName}
                imageUrl={person.profileImageUrl}
                presence={person.isContact && reachable ? person.presenceStatus : undefined}
              />
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
                  {person.displayName}
                </span>
                {person.statusMessage !== '' && (
                  <span dir="auto" className="block truncate text-ui-start text-13 text-muted">
                    {person.statusMessage}
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
