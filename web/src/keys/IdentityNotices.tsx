import { IdentityNotice } from './IdentityNotice.tsx';
import { usePeopleKeys } from './usePersonKeys.ts';

interface IdentityNoticesProps {
  people: readonly { readonly userId: string; readonly name: string }[];
}

/** Says of each of these people whose keys changed that they did. Many lines scroll, so that messages stay visible. */
export function IdentityNotices({ people }: IdentityNoticesProps) {
  const known = usePeopleKeys(people.map(({ userId }) => userId));
  const changed = people.filter(({ userId }) => known[userId]?.identity === 'changed');
  if (changed.length === 0) return null;
  return (
    <div className="max-h-[30dvh] shrink-0 divide-y divide-line overflow-y-auto overscroll-contain">
      {changed.map(({ userId, name }) => (
        <IdentityNotice key={userId} userId={userId} name={name} />
      ))}
    </div>
  );
}
