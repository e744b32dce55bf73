import { randomPhone } from '@nolo/testing';
import { ChatsPage } from './pages/ChatsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { MediaPage } from './pages/MediaPage.ts';
import { befriend, createCastMember, sendMessage } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { aPhotograph } from './support/mediaFiles.ts';
import { at, gone, see } from './support/see.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = journey();

async function threeWithWords() {
  const [ada, ben, cleo] = await Promise.all([
    createCastMember(url(), 'Ada Adams'),
    createCastMember(url(), 'Ben Botha'),
    createCastMember(url(), 'Cleo Cele'),
  ]);
  const withBen = await befriend(ada, ben);
  const withCleo = await befriend(ada, cleo);
  await sendMessage(ben, withBen, 'Did you go up?');
  await sendMessage(cleo, withCleo, 'Are you there?');
  return { ada, ben, cleo, withBen };
}

story('the phone’s Back closes whatever covers a conversation before leaving it', async () => {
  const { ada, ben, cleo, withBen } = await threeWithWords();
  const { page } = await openPage({ as: ada.user, device: 'phone', path: '/' });
  const chats = new ChatsPage(page);
  const chat = new MediaPage(page, ben.name);
  const details = page.getByRole('dialog', { name: en.shell.details });
  await chats.row(ben.name).click();
  await see(chat.message('Did you go up?'));
  await chat.give([await aPhotograph('Saddle.jpg', '#1db584')]);
  await chat.sendFiles(1).click();
  await see(chat.pictures(en.common.you).first());

  await chat.pictures(en.common.you).first().click();
  await see(chat.viewer);
  await page.goBack();
  await gone(chat.viewer);
  await see(chat.message('Did you go up?'));

  // A dialog over a pane: Back closes one after the other.
  await chat.info.click();
  await see(details);
  await details.getByRole('button', { name: en.conversation.block }).click();
  const question = page.getByRole('alertdialog');
  await see(question);
  await page.goBack();
  await gone(question);
  await see(details);
  await page.goBack();
  await gone(details);
  await at(page, `/chat/${withBen}`);

  await page.goBack();
  await at(page, '/');

  // Details belong to one conversation and are not open over the next.
  await chats.row(ben.name).click();
  await chat.info.click();
  await see(details);
  await page.goBack();
  await page.goBack();
  await chats.row(cleo.name).click();
  await see(new MediaPage(page, cleo.name).message('Are you there?'));
  await gone(details);
});

story('Back goes step by step from the code to the number and to the landing page', async () => {
  const { page } = await openPage({ path: '/' });
  const landing = new LandingPage(page);
  const signIn = await landing.startWithPhone();
  await signIn.requestCode(randomPhone());
  await page.goBack();
  await see(signIn.number);
  await page.goBack();
  await see(landing.headline);
  await at(page, '/');
});
