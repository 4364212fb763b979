import bundled from "@sparticuz/chromium";

/** How scripts start the bundled Chromium. */
export async function browserLaunch() {
  return { executablePath: await bundled.executablePath(), args: ["--no-sandbox", "--disable-gpu"] };
}
