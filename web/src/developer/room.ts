/** Entry point of the lazily loaded room. */
export { DeveloperScreen } from './DeveloperScreen.tsx';
