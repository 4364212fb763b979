// The sales view: leads as they arrive, the totals, and the faults panel. It reads and switches; the server holds all state.

const PAGE = 50;
const $ = (id) => document.getElementById(id);
const own = (path) => `/_sandbox/${path}`;
const hidden = new Set(["Owner", "Created_By", "Modified_By", "$editable", "$approval_state", "Data_Source", "Record_Status__s"]);
let shown = PAGE;
let seen = "";
let mailSeen = -1;
let wanted = "";
let linked = location.hash.replace("#record-", "");

async function ask(path, options) {
  const reply = await fetch(own(path), { cache: "no-store", ...options });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.message ?? reply.statusText);
  return body;
}

function text(value) {
  if (Array.isArray(value)) return value.map(text).join(", ");
  return value !== null && typeof value === "object" ? String(value.name ?? JSON.stringify(value)) : String(value ?? "");
}

function arrived(lead) {
  const at = new Date(lead.Created_Time);
  const today = at.toDateString() === new Date().toDateString();
  const clock = at.toLocaleTimeString("en-GB");
  return today ? clock : `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${clock.slice(0, 5)}`;
}

function leadRow(lead, open) {
  const row = $("lead").content.cloneNode(true).firstElementChild;
  const put = (place, value) => { row.querySelector(place).textContent = text(value); };
  row.dataset.id = lead.id;
  put(".name", lead.Full_Name);
  put(".phone", lead.Phone ?? lead.Mobile);
  put(".email", lead.Email);
  put(".source b", lead.Lead_Source);
  put(".country", lead.Country);
  put(".reference", lead.Website_Reference ?? lead.WhatsApp_Code);
  put("time", arrived(lead));
  row.querySelector("time").dateTime = lead.Created_Time;
  const list = row.querySelector("dl");
  for (const [name, value] of Object.entries(lead)) {
    if (hidden.has(name)) continue;
    const term = document.createElement("dt");
    const detail = document.createElement("dd");
    term.textContent = name.replaceAll("_", " ");
    detail.textContent = text(value);
    list.append(term, detail);
  }
  row.querySelector("details").open = open;
  return row;
}

async function showLeads() {
  const found = await ask(`records?limit=${wanted ? 1000 : shown}`);
  const leads = found.records.filter((lead) => !wanted || JSON.stringify(lead).toLowerCase().includes(wanted));
  const open = new Set([...document.querySelectorAll("#leads details[open]")].map((d) => d.parentElement.dataset.id));
  const focused = document.activeElement?.closest("#leads li")?.dataset.id;
  $("leads").replaceChildren(...leads.map((lead) => leadRow(lead, open.has(lead.id))));
  const target = document.querySelector(`#leads li[data-id="${CSS.escape(linked)}"] details`);
  if (target) {
    target.open = true;
    target.scrollIntoView();
    linked = "";
  }
  if (focused) document.querySelector(`#leads li[data-id="${focused}"] summary`)?.focus();
  $("empty").hidden = leads.length > 0;
  $("empty").textContent = wanted ? "No lead matches." : "No leads yet. They appear here as soon as one arrives.";
  $("more").hidden = wanted !== "" || found.total <= shown;
}

addEventListener("hashchange", () => {
  linked = location.hash.replace("#record-", "");
  showLeads();
});

function showTotals(totals) {
  for (const place of document.querySelectorAll("[data-total]")) {
    const name = place.dataset.total;
    place.textContent = (name === "tokens" ? totals.tokens_minted.length : totals[name]).toLocaleString("en-GB");
  }
  document.querySelector("[data-alarm]").classList.toggle("alarm", totals.duplicate_event_ids > 0);
  if (totals.mails !== mailSeen) {
    mailSeen = totals.mails;
    showMails();
  }
  const state = `${totals.inserts}:${totals.updates}:${totals.deletes}`;
  if (state !== seen) {
    seen = state;
    $("spoken").textContent = `${totals.records} leads, ${totals.duplicate_event_ids} duplicates`;
    showLeads();
  }
}

async function showMails() {
  const { mails } = await ask(`mails?limit=${PAGE}`);
  const open = new Set([...document.querySelectorAll("#mails details[open]")].map((d) => d.parentElement.dataset.id));
  $("mails").replaceChildren(...mails.map((mail) => {
    const row = $("mail").content.cloneNode(true).firstElementChild;
    row.dataset.id = mail.message_id;
    row.querySelector(".to").textContent = mail.recipient;
    row.querySelector(".subject").textContent = mail.subject;
    row.querySelector("time").textContent = arrived({ Created_Time: mail.at });
    row.querySelector("pre").textContent = `${mail.headers}\n\n${mail.body}`;
    row.querySelector("details").open = open.has(mail.message_id);
    return row;
  }));
  $("no-mail").hidden = mails.length > 0;
}

async function change(document_, method = "PATCH") {
  try {
    await ask("faults", { method, body: JSON.stringify(document_) });
    $("problem").hidden = true;
  } catch (wrong) {
    $("problem").textContent = wrong.message;
    $("problem").hidden = false;
  }
  await showFaults();
}

let kinds;
async function showFaults() {
  kinds ??= (await ask("faults/catalog")).faults;
  const state = await ask("faults");
  const focused = document.activeElement?.dataset.key;
  $("faults").replaceChildren(...Object.entries(kinds).map(([name, kind]) => {
    const row = $("fault").content.cloneNode(true).firstElementChild;
    const on = state[name];
    const box = row.querySelector("input");
    row.classList.toggle("on", Boolean(on));
    row.querySelector(".switch span").textContent = kind.title;
    row.querySelector("p").textContent = kind.effect;
    box.checked = Boolean(on);
    box.dataset.key = name;
    box.addEventListener("change", () => change({ [name]: box.checked }));
    return row;
  }));
  if (focused) document.querySelector(`[data-key="${focused}"]`)?.focus();
}

async function look() {
  try {
    showTotals(await ask("summary"));
    $("link").textContent = "Live";
    $("link").className = "link live";
  } catch {
    $("link").textContent = "Lost, trying again";
    $("link").className = "link lost";
  }
  setTimeout(look, 1000);
}

$("more").addEventListener("click", () => { shown += PAGE; showLeads(); });
$("find").addEventListener("input", () => { wanted = $("find").value.trim().toLowerCase(); showLeads(); });
$("calm").addEventListener("click", () => change({}, "PUT"));
showFaults();
look();
