import { CircleDot, DoorOpen, Hash, LogIn, Megaphone, QrCode, UserPlus, Users, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useAreGroupsAvailable } from '../groups/useAreGroupsAvailable.ts';
import { useAreMeetingsAvailable } from '../meetings/useAreMeetingsAvailable.ts';
import { addWords } from '../i18n/i18n.ts';
import { featureStore } from '../session/features.ts';
import { requestSocialPost } from '../shell/socialPostRequests.ts';
import type { StartDialogRequest } from './StartDialogs.tsx';
import { enBegin } from './enBegin.ts';

export interface StartAction {
  id: string;
  label: string;
  icon: ReactNode;
  /** Action, or a dialog that replaces the element in which it was chosen. */
  does: (() => void) | StartDialogRequest;
}

/** Lists what can be started, as far as it is available here. */
export function useStartActions(): readonly StartAction[] {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'begin', enBegin);
  const groups = useAreGroupsAvailable();
  const meetings = useAreMeetingsAvailable();
  const features = useStore(featureStore, (state) => state.features);
  const item = (id: string, label: string, icon: ReactNode, does: StartAction['does']) => ({ id, label, icon, does });
  const aGroup = (kind: 'group' | 'room' | 'join'): StartDialogRequest => ({ of: 'group', dialog: { kind } });
  const aMeeting = (kind: 'create' | 'join'): StartDialogRequest => ({ of: 'meeting', dialog: { kind } });
  return [
    item('addContact', t('chats.addContact'), <UserPlus />, { of: 'contact' }),
    item('link', t('begin.link'), <QrCode />, { of: 'link' }),
    ...(groups
      ? [
          item('createGroup', t('group.create'), <Users />, aGroup('group')),
          item('createRoom', t('group.createChat'), <Hash />, aGroup('room')),
          item('joinRoom', t('group.joinChat'), <DoorOpen className="rtl:-scale-x-100" />, aGroup('join')),
        ]
      : []),
    ...(meetings
      ? [
          item('createMeeting', t('chats.createMeeting'), <Video />, aMeeting('create')),
          item('joinMeeting', t('chats.joinMeeting'), <LogIn className="rtl:-scale-x-100" />, aMeeting('join')),
        ]
      : []),
    ...(features['status'] === true ? [item('status', t('begin.status'), <CircleDot />, { of: 'status' })] : []),
    ...(features['social'] === true
      ? [
          item('post', t('begin.post'), <Megaphone className="rtl:-scale-x-100" />, () =>
            requestSocialPost({ entry: 'post' }),
          ),
        ]
      : []),
  ];
}
