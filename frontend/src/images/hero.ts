/** The pictures of the home page's first screen: apart from the others, which come later than they. */
export { picture as heroFile } from "pictures:hero/hero";
export { picture as smileFile } from "pictures:treatments/hollywood-smile";
