/** Panels beside the stage, of which one is open at a time. */
export type PanelName = 'people' | 'chat';
/** Dialogs over the room, of which one is open at a time. */
export type RoomDialogName = 'devices' | 'invite' | 'keys' | 'leave' | 'record';
