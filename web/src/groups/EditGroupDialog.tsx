import { routes, type Conversation, type RouteBodyInput } from '@nolo/api';
import { cleanName } from '@nolo/rules';
import { useRef, useState } from 'react';
import { call } from '../api/httpClient.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { GroupDescriptionField, GroupNameField } from './GroupTextFields.tsx';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

export function EditGroupDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTexts(groupsTexts);
  const { id } = conversation;
  const saving = useGroupAction(
    id,
    (body: RouteBodyInput<typeof routes.updateGroupChat>) => call(routes.updateGroupChat, { params: { id }, body }),
    { failure: t('groups:form.saveFailed'), done: () => t('groups:form.saved'), onDone: onClose },
  );
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(conversation.name ?? '');
  const [description, setDescription] = useState(conversation.description ?? '');
  const [missing, setMissing] = useState(false);

  const save = async () => {
    if (cleanName(name) === '') {
      setMissing(true);
      nameField.current?.focus();
      return;
    }
    const change = {
      ...(cleanName(name) !== conversation.name && { name: cleanName(name) }),
      ...(description.trim() !== (conversation.description ?? '') && { description: description.trim() }),
    };
    if (Object.keys(change).length === 0) onClose();
    else await saving.run(change);
  };

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('groups:form.editTitle')}
      submitLabel={t('common.save')}
      busyLabel={t('groups:form.saving')}
      onClose={onClose}
      onSubmit={save}
    >
      <GroupNameField
        ref={nameField}
        label={t('groups:form.name')}
        error={missing ? t('groups:problem.name') : null}
        value={name}
        onValueChange={(typed) => {
          setName(typed);
          setMissing(false);
        }}
      />
      <GroupDescriptionField value={description} onValueChange={setDescription} />
    </FormDialog>
  );
}
