import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useRef, useState } from 'react';
import { call } from '../api/httpClient.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toCreateRoomRequest, createEmptyRoomForm, findRoomFormProblem } from './groupForm.ts';
import type { RoomForm, RoomFormProblem } from './groupForm.ts';
import { GroupDescriptionField, GroupNameField } from './GroupTextFields.tsx';
import { GroupSwitches, GroupVisibility } from './GroupSwitches.tsx';
import { useCreateGroup, type CreateDialogProps } from './useCreateGroup.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Creates a room that others join by its code (spec section 5). The input is lost when the dialog closes. */
export function CreateRoomDialog({ entry, onClose, onCreated }: CreateDialogProps) {
  const { t } = useTexts(groupsTexts);
  const nameField = useRef<HTMLInputElement>(null);
  const maxField = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState<RoomForm>(createEmptyRoomForm);
  const [problem, setProblem] = useState<RoomFormProblem | null>(null);
  const range = { min: limits.groupMembersMin, max: limits.groupMembersMax };
  const set = (patch: Partial<RoomForm>) => setForm((known) => ({ ...known, ...patch }));

  const creating = useCreateGroup(() => call(routes.createGroupChat, { body: toCreateRoomRequest(form) }), {
    entry,
    onCreated,
  });
  const create = async () => {
    const found = findRoomFormProblem(form);
    if (found) {
      setProblem(found);
      (found === 'name' ? nameField : maxField).current?.focus();
    } else await creating.run();
  };

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('groups:form.roomTitle')}
      description={t('groups:form.roomText')}
      submitLabel={t('groups:form.submitRoom')}
      busyLabel={t('groups:form.creating')}
      onClose={onClose}
      onSubmit={create}
    >
      <GroupNameField
        ref={nameField}
        label={t('groups:form.roomName')}
        placeholder={t('groups:form.roomNamePlaceholder')}
        error={
          problem === 'name'
            ? t('common.titled', { title: t('groups:problem.roomNameTitle'), text: t('groups:problem.roomNameText') })
            : null
        }
        value={form.name}
        onValueChange={(typed) => {
          set({ name: typed });
          if (problem === 'name') setProblem(null);
        }}
      />
      <GroupDescriptionField value={form.description} onValueChange={(description) => set({ description })} />
      <GroupVisibility isPublic={form.isPublic} onChange={set} />
      <TextField
        ref={maxField}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        className="max-w-48"
        label={t('groups:form.maxMembers')}
        hint={t('groups:form.maxHint', range)}
        error={problem === 'maxMembers' ? t('groups:problem.maxMembers', range) : null}
        value={form.maxMembers}
        onChange={(event) => {
          set({ maxMembers: event.target.value });
          if (problem === 'maxMembers') setProblem(null);
        }}
      />
      <GroupSwitches values={form} onChange={set} />
    </FormDialog>
  );
}
