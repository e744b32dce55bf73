import { MessageCircle } from 'lucide-react';
import { Link } from 'react-router-dom';
import { buttonClasses } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { DemoSecondPersonOffer } from '../account/secondPerson/DemoSecondPersonOffer.tsx';
import { OpenAddContactDialogButton } from '../people/OpenAddContactDialogButton.tsx';
import { CreateMeetingButton } from '../meetings/MeetingButtons.tsx';
import { useAreMeetingsAvailable } from '../meetings/useAreMeetingsAvailable.ts';
import { useTexts } from '../i18n/texts.ts';

export function NoConversations({ wide }: { wide: boolean }) {
  const { t } = useTexts();
  const meetingsExist = useAreMeetingsAvailable();
  return (
    <EmptyState
      className="flex-1"
      icon={<MessageCircle />}
      title={t('chats.emptyTitle')}
      description={t('chats.emptyText')}
      action={
        <>
          <OpenAddContactDialogButton kind={wide ? 'secondary' : 'primary'} />
          {!wide && (
            <>
              <Link to="/contacts" className={buttonClasses({ kind: 'secondary' })}>
                {t('chats.startNewChat')}
              </Link>
              {meetingsExist && <CreateMeetingButton />}
            </>
          )}
          <DemoSecondPersonOffer />
        </>
      }
    />
  );
}
