import { IdentityNotice } from './IdentityNotice.tsx';
import { usePeopleKeys } from './usePersonKeys.ts';

interface IdentityNoticesProps {
  people: readonly { readonly userId: string; readonly name: string }[];
}

/**
 * Says of each of these people whose keys changed that they did. The lines lie on the upper edge of the messages, which
 * they do not move, and scroll if they are many.
 */
export function IdentityNotices({ people }: IdentityNoticesProps) {
  const known = usePeopleKeys(people.map(({ userId }) => userId));
  const changed = people.filter(({ userId }) => known[userId]?.identity === 'changed');
  if (changed.length === 0) return null;
  return (
    <div className="relative z-10 h-0">
      <div className="absolute inset-x-0 top-0 max-h-[30dvh] divide-y divide-line overflow-y-auto overscroll-contain shadow-raised">
        {changed.map(({ userId, name }) => (
          <IdentityNotice key={userId} userId={userId} name={name} />
        ))}
      </div>
    </div>
  );
}
