import type { Locator, Page } from 'playwright-core';
import { waitUntilMoving } from '../support/motion.ts';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en, enMeeting, enMeetings, fillPlaceholders } from '../support/words.ts';

type Over = Exclude<keyof typeof enMeeting.over, 'again' | 'retry' | 'signIn' | 'phone'>;

/** Drives a meeting from its pre-join page to the end, from the side of one participant. */
export class MeetingRoomPage {
  readonly page: Page;
  readonly ready: Locator;
  readonly preview: Locator;
  /** Name field for guests. */
  readonly ownName: Locator;
  readonly joinNow: Locator;
  readonly askToJoin: Locator;
  readonly waiting: Locator;
  readonly room: Locator;
  readonly tiles: Locator;
  readonly controls: Locator;
  readonly leave: Locator;
  readonly people: Locator;
  readonly chat: Locator;
  readonly reconnecting: Locator;
  readonly locked: Locator;
  /** Audio elements, one for each of the other participants. */
  readonly voices: Locator;
  readonly recordingBadge: Locator;

  constructor(page: Page) {
    this.page = page;
    this.ready = page.getByRole('heading', { name: enMeeting.ready.title });
    this.preview = page.getByRole('region', { name: enMeeting.ready.preview }).getByTestId('video');
    this.ownName = page.getByRole('textbox', { name: enMeeting.ready.name });
    this.joinNow = page.getByRole('button', { name: enMeeting.ready.join, exact: true });
    this.askToJoin = page.getByRole('button', { name: enMeeting.ready.ask, exact: true });
    this.waiting = page.getByText(enMeeting.waiting.title);
    this.room = page.getByTestId('meeting-room');
    this.tiles = page.getByTestId('tile-camera');
    this.controls = page.getByRole('toolbar', { name: enMeeting.room.controls });
    this.leave = this.control('leave');
    this.people = page.getByRole('complementary', { name: enMeeting.room.people });
    this.chat = page.getByRole('complementary', { name: enMeeting.room.chat });
    this.reconnecting = page.getByText(enMeeting.room.reconnecting);
    this.locked = page.getByRole('img', { name: enMeeting.over.locked.title });
    this.voices = page.getByTestId('voice');
    this.recordingBadge = page.getByTestId('recording');
  }

  control(name: 'leave' | 'microphoneOff' | 'microphoneOn' | 'cameraOff' | 'cameraOn' | 'hand' | 'lowerHand'): Locator {
    return this.controls.getByRole('button', { name: enMeeting.room[name], exact: true });
  }

  tile(name: string): Locator {
    return this.tiles.filter({ hasText: name });
  }

  video(name: string): Locator {
    return this.tile(name).getByTestId('video');
  }

  screen(name: string): Locator {
    return this.page
      .getByRole('group', { name: fillPlaceholders(enMeeting.room.screenOf, { name }) })
      .getByTestId('video');
  }

  /** Finds the muted icon, even behind a dialog, which hides the room from screen readers. */
  mutedIcon(name: string): Locator {
    return this.tile(name).getByRole('img', { name: enMeeting.room.isMuted, includeHidden: true });
  }

  raisedHandIcon(name: string): Locator {
    return this.tile(name).getByRole('img', { name: enMeeting.room.handRaised });
  }

  /** Finds the icon for a participant's poor connection. */
  poorConnectionIcon(name: string): Locator {
    return this.tile(name).getByTestId('poor-connection');
  }

  over(reason: Over): Locator {
    return this.page.getByRole('heading', { name: enMeeting.over[reason].title });
  }

  /** Joins from the pre-join page, once the preview is visible. */
  async enter(): Promise<void> {
    await waitUntilVisible(this.ready);
    await waitUntilMoving(this.preview, { frames: 1 });
    await this.joinNow.click();
    await waitUntilVisible(this.room);
  }

  async requestToJoin(): Promise<void> {
    await waitUntilVisible(this.ready);
    await this.askToJoin.click();
    await waitUntilVisible(this.waiting);
  }

  async openDevices(): Promise<void> {
    await this.openMore();
    await this.page.getByRole('menuitem', { name: enMeeting.room.devices, exact: true }).click();
    await waitUntilVisible(this.page.getByRole('dialog', { name: enMeeting.room.devices }));
  }

  /** Opens the dialog that invites others to the room. */
  async openInvite(): Promise<Locator> {
    await this.choose('invite');
    const dialog = this.page.getByRole('dialog', { name: enMeeting.invite.title });
    await waitUntilVisible(dialog.getByRole('textbox', { name: enMeetings.share.link }));
    return dialog;
  }

  /** Returns the link that admits directly, created in the room. */
  async inviteLink(): Promise<string> {
    const dialog = await this.openInvite();
    await dialog.getByRole('button', { name: enMeeting.invite.direct }).click();
    await waitUntilVisible(dialog.getByText(enMeeting.invite.directText));
    const link = await dialog.getByRole('textbox', { name: enMeetings.share.link }).inputValue();
    await this.page.keyboard.press('Escape');
    return link;
  }

  /** Returns the participant id, which stays the same for the whole attendance. */
  async participantId(name: string): Promise<string> {
    return (await this.tile(name).getAttribute('data-participant')) ?? '';
  }

  async openPeople(): Promise<void> {
    if (!(await this.people.isVisible())) await this.page.getByTestId('open-people').click();
    await waitUntilVisible(this.people);
  }

  /** Admits or rejects a person who waits. */
  async answer(name: string, how: 'admitNamed' | 'denyNamed'): Promise<void> {
    await this.openPeople();
    await this.people.getByRole('button', { name: fillPlaceholders(enMeeting.people[how], { name }) }).click();
  }

  async decide(name: string, item: 'mute' | 'remove' | 'stopVideo' | 'makeCoHost'): Promise<void> {
    await this.openPeople();
    await this.people.getByRole('button', { name: fillPlaceholders(enMeeting.people.actions, { name }) }).click();
    await this.page.getByRole('menuitem', { name: enMeeting.people[item], exact: true }).click();
  }

  /** Chooses an item of the menu behind the three dots. */
  async choose(item: 'lock' | 'unlock' | 'endForAll' | 'muteAll' | 'invite' | 'pictureInPicture'): Promise<void> {
    await this.openMore();
    await this.page.getByRole('menuitem', { name: enMeeting.room[item], exact: true }).click();
  }

  async openMore(): Promise<void> {
    await this.controls.getByRole('button', { name: en.common.more, exact: true }).click();
  }

  async chooseRecording(item: 'start' | 'stop'): Promise<void> {
    await this.openMore();
    await this.page.getByRole('menuitem', { name: enMeeting.recording[item], exact: true }).click();
  }

  /** Confirms an action that cannot be undone. */
  async confirm(label: string): Promise<void> {
    await this.page.getByRole('alertdialog').getByRole('button', { name: label, exact: true }).click();
  }
}
