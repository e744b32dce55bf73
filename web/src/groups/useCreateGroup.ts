import { routes, type GroupChat } from '@nolo/api';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import type { SharedGroup } from './ShareGroupDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Origin of a dialog: a phone's header, or the sidebar and the meetings screen (decision 14). */
export type GroupDialogOrigin = 'mobile' | 'desktop';

export interface CreateDialogProps {
  entry: GroupDialogOrigin;
  onClose: () => void;
  onCreated: (group: SharedGroup) => void;
}

type NewGroup = GroupChat & { skipped?: readonly unknown[]; invited?: readonly unknown[] };

/** Creates a group, adds it to the list immediately, and passes it on for sharing. */
export function useCreateGroup<Input = void>(
  create: (input: Input) => Promise<NewGroup>,
  { entry, onCreated }: Omit<CreateDialogProps, 'onClose'>,
) {
  const { t } = useTexts(groupsTexts);
  const words = useExplainFailure();
  const { engine } = useChat();
  return useAction(
    async (input: Input) => {
      const group = await create(input);
      const { id, name, skipped = [], invited = [] } = group;
      const more = [
        ...(invited.length > 0 ? [t('groups:details.areInvited', { count: invited.length })] : []),
        ...(skipped.length > 0 ? [t('groups:details.notAdded', { count: skipped.length })] : []),
      ];
      toast({
        kind: 'success',
        title: t('groups:form.created'),
        description: more.length > 0 ? more.join(' ') : t('groups:form.createdText', { name }),
      });
      // The frame about it may arrive later or get lost.
      await call(routes.getConversation, { params: { id } }).then(engine.addConversation, () => {});
      return group;
    },
    {
      invalidates: [groupKeys.all],
      failure: (error) => ({
        title: entry === 'mobile' ? t('groups:problem.createMobile') : words(error, t('groups:problem.createDesktop')),
      }),
      onDone: ({ id, name, roomCode, isPublic }) => onCreated({ id, name, roomCode, isPublic }),
    },
  );
}
