package dev.windrow.http;

/** A request that needs a connection. All methods are called on the connection pool's event loop. */
public interface HttpExchange {

    /** Sends the request. */
    void connected(HttpConnection connection);

    /** Reports the response; the connection may have been handed on. */
    void answered(HttpResponse response);

    /** Reports that there will be no response: no connection, or one that broke. */
    void failed(Throwable failure);
}
