import { IdentityNotice, isAsked } from './IdentityNotice.tsx';
import { usePeopleKeys } from './usePersonKeys.ts';

interface IdentityNoticesProps {
  people: readonly { readonly userId: string; readonly name: string }[];
}

/**
 * Asks about each of these people whose keys changed, or about whose keys a removed device decided. The lines lie on
 * the upper edge of the messages, which they do not move, and scroll if they are many.
 */
export function IdentityNotices({ people }: IdentityNoticesProps) {
  const known = usePeopleKeys(people.map(({ userId }) => userId));
  const asked = people.filter(({ userId }) => isAsked(known[userId]));
  if (asked.length === 0) return null;
  return (
    <div className="relative z-10 h-0">
      <div className="absolute inset-x-0 top-0 max-h-[30dvh] overflow-y-auto overscroll-contain shadow-raised">
        {asked.map(({ userId, name }) => (
          <IdentityNotice key={userId} userId={userId} name={name} />
        ))}
      </div>
    </div>
  );
}
