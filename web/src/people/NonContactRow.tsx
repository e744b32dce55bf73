import type { User } from '@nolo/api';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useAddPerson } from './useContactAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

/** Person found who is not a contact yet. They can be written to or added. */
export function NonContactRow(props: { person: User; starting: boolean; onStart: (userId: string) => void }) {
  const { person, starting, onStart } = props;
  const { t } = useTexts(contactsTexts);
  // The button stays busy after success, until the row leaves the list.
  const [added, setAdded] = useState(false);
  const adding = useAddPerson(person.id, () => setAdded(true));
  return (
    <div className="mx-2 flex h-17 items-center gap-1 rounded-card pe-2 hover:bg-hover">
      <button
        type="button"
        aria-busy={starting || undefined}
        onClick={() => onStart(person.id)}
        className="flex h-full min-w-0 flex-1 items-center gap-3 rounded-card px-2.5 text-start outline-offset-[-2px]"
      >
        <Avatar name={person.displayName} imageUrl={person.profileImageUrl} size={48} />
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
        {starting && <Spinner />}
      </button>
      <Button
        kind="secondary"
        size="small"
        icon={<UserPlus />}
        busy={adding.busy || added}
        aria-label={t('contacts:addPerson', { name: person.displayName })}
        onClick={() => void adding.run()}
      >
        {t('contacts:addShort')}
      </Button>
    </div>
  );
}
