// Fills in the address of this site's wheel, and wakes the apps of a page or says why it cannot: a module that fails to load is silent, this script is not.
(function () {
  var here = document.currentScript;
  var file = function (name) {
    return new URL(name, here.src).href;
  };
  var tell = function (why) {
    document.querySelectorAll(".ec-app-status").forEach(function (status) {
      status.textContent = why + " What you see is the app's first view.";
    });
  };
  var start = function () {
    document.querySelectorAll("[data-wheel]").forEach(function (wheel) {
      wheel.textContent = new URL(wheel.dataset.wheel, location.href).href;
    });
    if (!document.querySelector("[data-liveapp]")) return;
    if (location.protocol === "file:") {
      tell("This app runs when the book comes from a server: make serve, or the published book.");
      return;
    }
    try {
      // `import` is hidden in a string because an old browser would refuse the whole script.
      new Function("address", "return import(address)")(file(here.dataset.module)).then(
        function (module) {
          module.hydrate(document, { pyodide: file(here.dataset.pyodide), archive: file(here.dataset.archive) });
        },
        function (error) {
          tell("This app could not start (" + error.message + ").");
        },
      );
    } catch (error) {
      tell("This app could not start here: it needs a newer browser, or the site forbids what it does.");
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
