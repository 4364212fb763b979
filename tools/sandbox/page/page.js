// The sales view: leads as they arrive, the totals, the mail, and the switches. The server holds all state.

const PAGE = 50;
const $ = (id) => document.getElementById(id);
const hidden = new Set(["Owner", "Created_By", "Modified_By", "$editable", "$approval_state", "Data_Source", "Record_Status__s"]);
let shown = PAGE;
let seen = "";
let mailSeen = -1;
let wanted = "";
let linked = location.hash.replace("#record-", "");

async function ask(path, options) {
  const reply = await fetch(`/_sandbox/${path}`, { cache: "no-store", ...options });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.message ?? reply.statusText);
  return body;
}

function make(name, content, properties) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...[content].flat());
  return element;
}

function text(value) {
  if (Array.isArray(value)) return value.map(text).join(", ");
  return value !== null && typeof value === "object" ? String(value.name ?? JSON.stringify(value)) : String(value ?? "");
}

/** Show rows as details, each as open and focused as before. */
function list(place, rows) {
  const open = new Set([...place.querySelectorAll("details[open]")].map((row) => row.parentElement.id));
  const focused = document.activeElement?.closest("li")?.id;
  place.replaceChildren(...rows.map(({ id, words, at, body }) => {
    const time = make("time", new Date(at).toLocaleString("en-GB"), { dateTime: at });
    const summary = make("summary", [...words.filter(Boolean).map((word) => make("span", text(word))), time]);
    return make("li", make("details", [summary, body], { open: open.has(id) }), { id });
  }));
  if (focused) place.querySelector(`#${CSS.escape(focused)} summary`)?.focus();
}

async function showLeads() {
  const found = await ask(`records?limit=${wanted ? 1000 : shown}`);
  const leads = found.records.filter((lead) => !wanted || JSON.stringify(lead).toLowerCase().includes(wanted));
  list($("leads"), leads.map((lead) => ({
    id: `record-${lead.id}`,
    words: [lead.Full_Name, lead.Phone ?? lead.Mobile, lead.Email, lead.Lead_Source, lead.Country, lead.Website_Reference ?? lead.WhatsApp_Code],
    at: lead.Created_Time,
    body: make("dl", Object.entries(lead).filter(([name]) => !hidden.has(name)).flatMap(([name, value]) => [
      make("dt", name.replaceAll("_", " ")), make("dd", text(value)),
    ])),
  })));
  const target = document.querySelector(`#record-${CSS.escape(linked)} details`);
  if (target) {
    target.open = true;
    target.scrollIntoView();
    linked = "";
  }
  $("empty").hidden = leads.length > 0;
  $("empty").textContent = wanted ? "No lead matches." : "No leads yet. They appear here as soon as one arrives.";
  $("more").hidden = wanted !== "" || found.total <= shown;
}

async function showMails() {
  const { mails } = await ask(`mails?limit=${PAGE}`);
  list($("mails"), mails.map((mail) => ({
    id: `mail-${mail.message_id}`,
    words: [mail.recipient, mail.subject],
    at: mail.at,
    body: make("pre", `${mail.headers}\n\n${mail.body}`),
  })));
}

function showTotals(totals) {
  const counts = {
    leads: totals.records, duplicates: totals.duplicate_event_ids, calls: totals.calls,
    "in flight": totals.in_flight, "credits left": totals.credits_remaining, tokens: totals.tokens_minted.length,
  };
  $("totals").textContent = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString("en-GB")}`).join(" · ");
  $("totals").classList.toggle("alarm", totals.duplicate_event_ids > 0);
  if (totals.mails !== mailSeen) {
    mailSeen = totals.mails;
    showMails();
  }
  const state = `${totals.inserts}:${totals.updates}:${totals.deletes}`;
  if (state !== seen) {
    seen = state;
    showLeads();
  }
}

let kinds;
async function showFaults() {
  kinds ??= (await ask("faults/catalog")).faults;
  const state = await ask("faults");
  const focused = document.activeElement?.id;
  $("faults").replaceChildren(...Object.entries(kinds).map(([name, kind]) => {
    const box = make("input", [], { type: "checkbox", id: name, checked: Boolean(state[name]) });
    box.addEventListener("change", () => change({ [name]: box.checked }));
    return make("li", [make("label", [box, kind.title]), make("p", kind.effect)]);
  }));
  $(focused)?.focus();
}

async function change(switches, method = "PATCH") {
  $("problem").hidden = true;
  try {
    await ask("faults", { method, body: JSON.stringify(switches) });
  } catch (wrong) {
    $("problem").textContent = wrong.message;
    $("problem").hidden = false;
  }
  await showFaults();
}

async function look() {
  try {
    showTotals(await ask("summary"));
    $("link").textContent = "Live";
  } catch {
    $("link").textContent = "Lost, trying again";
  }
  $("link").classList.toggle("lost", $("link").textContent !== "Live");
  setTimeout(look, 1000);
}

addEventListener("hashchange", () => {
  linked = location.hash.replace("#record-", "");
  showLeads();
});
$("more").addEventListener("click", () => { shown += PAGE; showLeads(); });
$("find").addEventListener("input", () => { wanted = $("find").value.trim().toLowerCase(); showLeads(); });
$("calm").addEventListener("click", () => change({}, "PUT"));
showFaults();
look();
