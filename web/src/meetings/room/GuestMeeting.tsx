import { routes } from '@nolo/api';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { browserSupport } from '../../device/browserSupport.ts';
import { enMeeting } from './enMeeting.ts';
import { addWords } from '../../i18n/i18n.ts';
import { TooltipProvider } from '../../ui/Tooltip.tsx';
import { UnsupportedBrowserScreen } from './UnsupportedBrowserScreen.tsx';
import { openGuestSocket } from './guestSocket.ts';
import { readMeetingAddress } from './meetingAddress.ts';
import { MeetingFlowScreen } from './MeetingFlowScreen.tsx';
import { useMeetingDocumentTitle } from './useMeetingDocumentTitle.ts';

interface GuestMeetingProps {
  id: string;
  onSignIn: (way: 'phone' | 'provider') => void;
}

/** Meeting for a guest without an account, if the browser supports meetings. */
export function GuestMeeting(props: GuestMeetingProps) {
  return browserSupport.connect() ? (
    <GuestPlace {...props} />
  ) : (
    <UnsupportedBrowserScreen onHome={() => location.assign('/')} />
  );
}

/** Guests enter a name and wait for admission (decision 20). */
function GuestPlace({ id, onSignIn }: GuestMeetingProps) {
  const { i18n, t } = useTranslation();
  addWords(i18n, 'meeting', enMeeting);
  const [address] = useState(() => readMeetingAddress(id, location.search, location.hash));
  const [guest] = useState(openGuestSocket);
  useEffect(() => () => guest.stop(), [guest]);
  useMeetingDocumentTitle(t('meeting.title'));
  return (
    <TooltipProvider>
      <MeetingFlowScreen
        address={address}
        socket={guest.socket}
        self={null}
        entrance={{
          enter: async (name) => {
            const { roomCode, inviteToken } = address;
            const body = { name, ...(inviteToken !== undefined && { inviteToken }) };
            await call(routes.createGuest, { params: { roomCode }, body });
            guest.start();
          },
          resume: guest.start,
        }}
        onHome={() => location.assign('/')}
        onSignIn={onSignIn}
      />
    </TooltipProvider>
  );
}
