/** The hero's buttons: the bottom bar waits until they have left the view. */
export const HERO_ACTIONS = "hero-actions";
